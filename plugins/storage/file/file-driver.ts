import path from 'node:path'
import type { StorageDriver } from '../index.ts'
import { createFileStore } from './file-store.ts'

/** Stores in folders: `file:/absolute/folder`, or `file:///absolute/folder`. */
export const fileDriver: StorageDriver = {
  faultOf: address => (/^file:(\/\/)?\/[^/]/.test(address) ? null : 'must name an absolute folder: file:/srv/files'),
  open: (address, options) => createFileStore(path.resolve(`/${address.replace(/^file:\/*/, '')}`), options)
}
