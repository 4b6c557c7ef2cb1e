import { command } from '#core'
import type { NewsletterComponents } from '../components.ts'

const send_id = {
  type: 'positional',
  describe: 'Id of the newsletter, or 8 or more of its first characters',
  required: true
} as const

export const pauseCommand = ({ sends }: NewsletterComponents) =>
  command({
    describe: 'Stop a newsletter; who has not got it yet waits',
    returns: 'Newsletter',
    args: { send_id },
    run: ({ args, actor }) => sends.pause(args.send_id, actor),
    text: ({ subject }) => `Paused “${subject}”: "newsletter resume" goes on with it.`
  })

export const resumeCommand = ({ sends }: NewsletterComponents) =>
  command({
    describe: 'Go on with a newsletter that is paused',
    returns: 'Newsletter',
    args: { send_id },
    run: ({ args, actor }) => sends.resume(args.send_id, actor),
    text: ({ subject, status }) =>
      status === 'held' ? `“${subject}” waits at the gate newsletter_send.` : `“${subject}” goes on.`
  })

export const cancelCommand = ({ sends }: NewsletterComponents) =>
  command({
    describe: 'End a newsletter; who has not got it yet never does',
    returns: 'Newsletter',
    args: { send_id },
    confirm: async ({ args }) => {
      const { subject, recipients } = await sends.read(args.send_id)
      return { text: `Cancel “${subject}”? ${recipients.sent} got it, ${recipients.queued} wait.` }
    },
    run: ({ args, actor }) => sends.cancel(args.send_id, actor),
    text: ({ subject }) => `Cancelled “${subject}”.`
  })
