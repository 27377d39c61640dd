// Package storage keeps the bytes of a search engine in one directory: an
// ordered map from keys to values, built on Pebble. It knows nothing of search;
// no other package knows of Pebble.
//
// There are only a few types. A [Store] is an open directory. A [Batch] collects
// changes that happen together or not at all: [Store.Commit] returns when they
// are durable, [Store.Apply] when they are visible. A [Snapshot] is the state at
// one moment and, like the store, a [Reader]; an [Iterator] walks over either. A
// [TableWriter] builds many entries aside, which [Store.Ingest] adds at once.
// [Store.Backup] copies a running store, [RestoreBackup] makes a data directory
// of the copy. [Options.Salvage] opens what is damaged, to save what can be read.
// The key space, one function for each kind of key, is in keys.go.
//
// # What is promised
//
//   - A change whose Commit (or wait of Apply) returned nil survives the kill of
//     the process and a loss of power. One that got no answer is there as a whole
//     or not at all, and stays so.
//   - Damage of a file is reported with [ErrCorrupt], never answered wrongly, with
//     one exception: after a loss of power, not after a kill, the last write of the
//     log and the last 32 KiB of it cannot be told from a write that was interrupted.
//   - A full disk is refused ([ErrFull]) before it is met, and writes go on when
//     there is room again.
//   - When the log or the manifest cannot be written, nothing is acknowledged any
//     more and the process ends ([Options.Fatal]); the next Open finds all that
//     was acknowledged.
//
// # Directory
//
//	QUARRY   marker, 32 bytes for format 1: "quarry data directory, format 1\n"
//	store/   Pebble's tables, log, manifest and lock, and SYNCED: how much of the
//	         log and the manifest is on disk
//	tables/  tables that are being built; emptied by Open
//
// QUARRY.restoring or QUARRY.repairing stands in the place of the marker as long
// as [RestoreBackup], or who called [BeginDir], is filling the directory.
//
// Other files may stand beside these. A directory that holds files but no marker
// is never touched. All files are readable by their owner only. [FormatVersion]
// has the history of the format.
package storage
