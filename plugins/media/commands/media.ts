import type { MediaParts } from '../parts.ts'
import { addCommand } from './add.ts'
import { generateCommand, jobListCommand, jobStatusCommand, removeMediaCommand } from './generation.ts'
import { podcastCoverCommand } from './podcast-cover.ts'
import { refreshCommand } from './refresh.ts'

type CommandParts = Pick<MediaParts, 'images' | 'art' | 'placed' | 'generation'>

export const mediaCommands = ({ images, art, placed, generation }: CommandParts) => ({
  add: addCommand(images),
  'podcast-cover': podcastCoverCommand(art),
  generate: generateCommand(generation),
  list: jobListCommand(generation),
  status: jobStatusCommand(generation),
  remove: removeMediaCommand(generation),
  refresh: refreshCommand(placed, art)
})
