/** `#files`: folders that galley writes to: their faults in words, unfinished files, and what survives a power cut. */
export * from './folder-fault.ts'
export * from './sync-folder.ts'
export * from './temporary-name.ts'
