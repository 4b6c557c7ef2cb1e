import { AppError } from '../../core/contract/errors.ts'
import type { Environment } from './home.ts'

const maxSeconds = 3_600

/**
 * Sets how long a plugin may take for a step of its start, where the environment says so.
 * @throws AppError for a value that is no such time.
 */
export async function applyPluginStartLimit({ GALLEY_PLUGIN_START_SECONDS: text = '' }: Environment): Promise<void> {
  if (text === '') return
  const seconds = Number(text)
  if (!(seconds > 0 && seconds <= maxSeconds))
    throw new AppError('INTERNAL_ERROR', `GALLEY_PLUGIN_START_SECONDS is ${JSON.stringify(text.slice(0, 100))}`, {
      remedy: `give a number of seconds, more than 0 and at most ${maxSeconds}`
    })
  const { setStartSeconds } = await import('../../core/isolation/deadline.ts')
  setStartSeconds(seconds)
}
