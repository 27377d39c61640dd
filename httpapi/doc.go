// Package httpapi is the v1 interface: REST over HTTP, for one engine.
package httpapi
