import type { CommandGroup } from '#core'
import type { NewsletterParts } from '../parts.ts'
import { cancelCommand, pauseCommand, resumeCommand } from './decisions.ts'
import { digestCommand, sendCommand } from './send.ts'
import { sendStatusCommand } from './status.ts'
import { subscribersCommand } from './subscribers.ts'
import { whyCommand } from './why.ts'

export const newsletterCommands = (parts: NewsletterParts): CommandGroup => ({
  send: sendCommand(parts),
  digest: digestCommand(parts),
  status: sendStatusCommand(parts),
  pause: pauseCommand(parts),
  resume: resumeCommand(parts),
  cancel: cancelCommand(parts),
  subscribers: subscribersCommand(parts),
  why: whyCommand(parts)
})
