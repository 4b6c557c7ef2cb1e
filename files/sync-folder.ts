import { open } from 'node:fs/promises'

/** A new or renamed file keeps its name in a power cut once its folder is synced. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
