// Package search runs a query over the segments of a snapshot.
package search
