import path from 'node:path'
import { createNoteFile } from '#files'
import type { DatabasePosition } from '../repository/state.ts'

/** What a home notes of its database. */
interface NotedPosition extends DatabasePosition {
  /** The home was copied, or put back from a backup. */
  isCopy: boolean
}

/** A file beside the database that says how far it was. */
interface PositionNote {
  /** Null where nothing was noted, or something else was written there. */
  read(): Promise<NotedPosition | null>
  write(position: DatabasePosition): Promise<void>
}

export function createPositionNote(home: string): PositionNote {
  const note = createNoteFile(path.join(home, 'newsletter-position.json'))
  return {
    async read() {
      const { content, isCopy = false } = (await note.read()) ?? {}
      if (typeof content?.database_id !== 'string' || typeof content.position !== 'number') return null
      return { database_id: content.database_id, position: content.position, isCopy }
    },
    write: note.write
  }
}
