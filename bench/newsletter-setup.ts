import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Galley } from './galley.ts'

export interface NewsletterSetup {
  smtpUrl: string
  subscribers: number
  connections: number
  /** Markdown, with the title as its heading. */
  content: string
}

/** Sets up an installation that mails at once: subscribers, a mail server, no gate. @returns the id of a public post */
export async function setUpNewsletter(
  { home, command }: Galley,
  { smtpUrl, subscribers, connections, content }: NewsletterSetup
): Promise<string> {
  const settings = {
    smtp_url: smtpUrl,
    mail_from: 'The Tides <news@example.com>',
    newsletter_connections: String(connections),
    pipeline_gate_newsletter_send: 'off'
  }
  for (const [key, value] of Object.entries(settings)) await command('settings', 'set', key, value)
  const list = path.join(home, 'subscribers.csv')
  writeFileSync(list, `email\n${Array.from({ length: subscribers }, (_, n) => `reader${n}@example.com`).join('\n')}\n`)
  await command('newsletter', 'subscribers', 'import', list, '--consented')
  const file = path.join(home, 'post.md')
  writeFileSync(file, content)
  const { post_id } = JSON.parse(await command('posts', 'create', '--from-file', file, '--json')) as { post_id: string }
  await command('posts', 'publish', post_id)
  return post_id
}
