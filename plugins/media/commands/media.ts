import type { MediaParts } from '../parts.ts'
import { addCommand } from './add.ts'
import { generateCommand, jobListCommand, jobStatusCommand, removeMediaCommand } from './generation.ts'
import { podcastCoverCommand } from './podcast-cover.ts'

type CommandParts = Pick<MediaParts, 'images' | 'covers' | 'feed' | 'generation'>

export const mediaCommands = ({ images, covers, feed, generation }: CommandParts) => ({
  add: addCommand(images),
  'podcast-cover': podcastCoverCommand(covers, feed),
  generate: generateCommand(generation),
  list: jobListCommand(generation),
  status: jobStatusCommand(generation),
  remove: removeMediaCommand(generation)
})
