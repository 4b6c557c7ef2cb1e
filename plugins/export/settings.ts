import { setting, Type } from '#core'

/** A file: address is no URL: nothing in it is encoded. */
const targetPattern = '^(file:(//)?/[^/?#%][^?#%]*|(?!file:)[a-z][a-z0-9+-]*:[^?#%]+)?$'

export const exportSettings = {
  export_target: setting(Type.String({ pattern: targetPattern, maxLength: 1000 }), {
    default: '',
    isMachine: true,
    describe:
      'Where the static export goes: file:/absolute/folder, or a bucket as s3://bucket/prefix (storage_endpoint and its like say where); empty: the folder export in the home.'
  })
}
