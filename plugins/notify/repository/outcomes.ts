import type { Queryable } from '#core'
import type { Notice, SubjectOutcome } from '../index.ts'

/** Telegram allows edits for two days. */
export const isToBeEdited = `edit_due_at is not null and state = 'sent' and sent_at > now() - interval '48 hours'`

/**
 * Drops pending messages about these items. Marks sent ones to be edited, where the channel can edit. Returns the channels
 * with messages to edit.
 */
export async function recordOutcomes(
  db: Queryable,
  outcomes: readonly SubjectOutcome[],
  editable: readonly string[]
): Promise<string[]> {
  const rows = await db.query<{ channel: string; is_edited: boolean }>(
    `with decided as (
       select gate_name, subject_id, outcome, before is null as is_all,
         (select min(id) from notify_messages where source = before) as before_id
       from jsonb_to_recordset($1::jsonb) as given (gate_name text, subject_id text, outcome text, before text)
     )
     update notify_messages message set
       state = case when message.state = 'pending' then 'dropped' else message.state end,
       outcome = decided.outcome,
       edit_due_at = case when message.state <> 'pending' and message.channel = any ($2::text[]) then now() end
     from decided
     where message.gate_name = decided.gate_name and message.subject_id = decided.subject_id
       and message.state in ('pending', 'sending', 'sent') and message.outcome is null
       and (decided.is_all or message.id < decided.before_id)
     returning message.channel, message.edit_due_at is not null as is_edited`,
    [JSON.stringify(outcomes), editable]
  )
  return [...new Set(rows.flatMap(({ channel, is_edited }) => (is_edited ? [channel] : [])))]
}

/** A sent message that has to show its outcome. */
interface MessageToEdit {
  id: number
  message_id: string | null
  notice: Notice
  outcome: string
}

/** Claims the next of them for a minute. */
export async function claimEdit(db: Queryable, channel: string): Promise<MessageToEdit | undefined> {
  const [row] = await db.query<MessageToEdit>(
    `update notify_messages set edit_due_at = now() + interval '1 minute'
     where id = (select id from notify_messages where channel = $1 and ${isToBeEdited} and edit_due_at <= now()
       order by edit_due_at, id limit 1 for update skip locked)
     returning id, message_id, notice, outcome`,
    [channel]
  )
  return row
}

export async function markEdited(db: Queryable, id: number): Promise<void> {
  await db.query('update notify_messages set edit_due_at = null where id = $1', [id])
}
