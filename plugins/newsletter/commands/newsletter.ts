import type { CommandGroup } from '#core'
import type { NewsletterComponents } from '../components.ts'
import { cancelCommand, pauseCommand, resumeCommand } from './decisions.ts'
import { digestCommand, sendCommand } from './send.ts'
import { sendStatusCommand } from './status.ts'
import { subscribersCommand } from './subscribers.ts'
import { whyCommand } from './why.ts'

export const newsletterCommands = (components: NewsletterComponents): CommandGroup => ({
  send: sendCommand(components),
  digest: digestCommand(components),
  status: sendStatusCommand(components),
  pause: pauseCommand(components),
  resume: resumeCommand(components),
  cancel: cancelCommand(components),
  subscribers: subscribersCommand(components),
  why: whyCommand(components)
})
