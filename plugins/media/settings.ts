import { Type } from 'typebox'
import { setting } from '#core'

export const mediaSettings = {
  media_store: setting(Type.String({ pattern: '^(file:((//)?/[^/?#%][^?#%]*)?)?$', maxLength: 1000 }), {
    default: 'file:',
    isMachine: true,
    describe:
      'Where media files lie, as file:/absolute/folder; file: alone is the folder media in the home, which backups contain. Move the files when it changes. Object storage (s3://) is not supported in this release.'
  })
}

export type MediaSettings = typeof mediaSettings
