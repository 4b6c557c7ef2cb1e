import { pluralized } from '#text/plural'
import { command } from '../../core/index.ts'
import type { KeyRotationDeps } from '../../core/keyring.ts'
import { rotateKey } from './rotate.ts'

/** `galley settings rotate-key`: a new master key. */
export const rotateKeyCommand = (keys: KeyRotationDeps) =>
  command({
    describe: 'Make a new POINDEXTER_SECRET_KEY and encrypt every secret with it',
    returns: '{dry_run, secrets, old_key_id, new_key_id}',
    args: { 'dry-run': { type: 'boolean', describe: 'Only check that every secret can be decrypted; change nothing' } },
    confirm: ({ args }) =>
      args['dry-run']
        ? null
        : {
            text: 'Existing backups need the current key, which is replaced. Go on?',
            isIrreversible: true
          },
    async run({ args, terminal }) {
      const result = await rotateKey(keys, { dryRun: args['dry-run'] })
      if (!result.dry_run) {
        terminal.note(
          'Processes that read this bootstrap.env follow by themselves. Any other, on another machine or with POINDEXTER_SECRET_KEY in its environment, needs the new key from there and a restart.'
        )
      }
      return result
    },
    text: ({ dry_run, secrets, old_key_id, new_key_id }) =>
      dry_run
        ? `The key ${old_key_id} decrypts ${pluralized(secrets, 'secret')}, to be encrypted again; nothing was changed.`
        : `The new key ${new_key_id} encrypts ${pluralized(secrets, 'secret')}; the key ${old_key_id} is no longer needed.`
  })
