import type { Images } from '../images/images.ts'
import { addCommand } from './add.ts'

export const mediaCommands = (images: Images) => ({ add: addCommand(images) })
