import { setting, Type } from '#core'

export const exportSettings = {
  export_target: setting(Type.String({ pattern: '^(file:(//)?/[^/?#%][^?#%]*)?$', maxLength: 1000 }), {
    default: '',
    isMachine: true,
    describe:
      'Folder of the static export, as file:/absolute/folder; empty: the folder export in the home. Object storage (s3://) is not supported in this release.'
  })
}
