/** `#files`: folders that galley writes to: their faults in words, unfinished files, notes, and what survives a power cut. */
export * from './folder-fault.ts'
export * from './note-file.ts'
export * from './sync-folder.ts'
export * from './temporary-name.ts'
