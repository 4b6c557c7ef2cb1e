import { createCommandSpeech } from './command.ts'
import { createEmbeddedSpeech } from './embedded.ts'
import { createFolderSpeech } from './folder.ts'
import { createOpenAiSpeech, type OpenAiSpeechDeps } from './openai.ts'
import { createSpeechDrivers, type SpeechDrivers } from './registry.ts'

/** The engines with those of the package. */
export function createBuiltInSpeech({ settings, log, now, costs }: OpenAiSpeechDeps): SpeechDrivers {
  const drivers = createSpeechDrivers(settings)
  drivers.addDriver('embedded', createEmbeddedSpeech(settings))
  drivers.addDriver('command', createCommandSpeech(settings))
  drivers.addDriver('openai', createOpenAiSpeech({ settings, log, now, costs }))
  drivers.addDriver('folder', createFolderSpeech(settings))
  return drivers
}
