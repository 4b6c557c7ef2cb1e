import type { Notice } from '#plugins/notify'
import { pluralized } from '#text/plural'

const sendStatusCommand = { label: null, chat: null, hint: '', cli: 'galley newsletter status' }

/** Many sign-ups at once: a campaign that works, or somebody who types the addresses of others. */
export const waveNotice = (signups: number, minutes: number): Notice => ({
  title: `${pluralized(signups, 'sign-up')} for the newsletter within ${minutes} minutes`,
  lines: [
    'Each address gets at most one mail a day, and the proof of work gets harder by itself.',
    'If nobody should sign up now, leave the plugin newsletter out of plugins.config.json.'
  ],
  actions: []
})

/** A newsletter that waits for an operator. */
export const pausedNotice = (send: { send_id: string; subject: string }, reason: string): Notice => ({
  title: `The newsletter “${send.subject}” is paused`,
  lines: [reason],
  actions: [
    { label: null, chat: null, hint: '', cli: `galley newsletter resume ${send.send_id}` },
    { label: null, chat: null, hint: '', cli: `galley newsletter cancel ${send.send_id}` }
  ],
  overview: sendStatusCommand
})

/** The mail server takes nothing. */
export const serverNotice = (send: { subject: string }, error: string): Notice => ({
  title: `The newsletter “${send.subject}” waits: the mail server takes no mail`,
  lines: [error, 'It is tried again by itself.'],
  actions: [],
  overview: sendStatusCommand
})

/** Newsletters that were under way in a database that is not the one they were begun in. */
export const copyNotice = (paused: number): Notice => ({
  title: `${pluralized(paused, 'newsletter')} stopped: this database is a copy or a restored backup`,
  lines: [
    'What was mailed since the backup is not known here, so nothing goes on by itself.',
    'Look at each one, then go on with it or cancel it.'
  ],
  actions: [],
  overview: sendStatusCommand
})
