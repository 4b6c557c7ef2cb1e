import type { MediaComponents } from '../components.ts'
import { addCommand } from './add.ts'
import { generateCommand, jobListCommand, jobStatusCommand, removeMediaCommand } from './generation.ts'
import { podcastCoverCommand } from './podcast-cover.ts'
import { refreshCommand } from './refresh.ts'

type CommandDeps = Pick<MediaComponents, 'images' | 'art' | 'placed' | 'generation'>

export const mediaCommands = ({ images, art, placed, generation }: CommandDeps) => ({
  add: addCommand(images),
  'podcast-cover': podcastCoverCommand(art),
  generate: generateCommand(generation),
  list: jobListCommand(generation),
  status: jobStatusCommand(generation),
  remove: removeMediaCommand(generation),
  refresh: refreshCommand(placed, art)
})
