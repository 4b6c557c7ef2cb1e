import { definePlugin } from '#core'
import { type SpeechDriver, SpeechService } from '#plugins/media'
import { makeWav, tone } from '../../../helpers/wav.ts'

/** Engines that another plugin brings: each text lasts 0.5 s by `test`, and 0.75 s by `slow`. What they do before is up to the test. */
export function createSpeakingPlugin() {
  const spoken: string[] = []
  let beforeSpeaking: (text: string) => unknown = () => {}
  let isSilent = (_text: string): boolean => false
  const driverOf = (voice: string, seconds: number): SpeechDriver => ({
    voice,
    isMonolingual: true,
    async speak({ text }) {
      await beforeSpeaking(text)
      spoken.push(text)
      return makeWav(isSilent(text) ? [] : tone(seconds, 16_000), { sampleRate: 16_000 })
    }
  })
  const plugin = definePlugin({
    name: 'speaking',
    contract: 1,
    describe: 'An engine of somebody else',
    needs: { speech: SpeechService },
    setup({ needs: { speech } }) {
      speech.addDriver('test', driverOf('Test voice', 0.5))
      speech.addDriver('slow', { ...driverOf('Slow voice', 0.75), concurrency: 2 })
      return { services: {} }
    }
  })
  return {
    plugin,
    /** The texts in their order, since the last `reset`. */
    spoken,
    reset: () => {
      spoken.length = 0
      beforeSpeaking = () => {}
      isSilent = () => false
    },
    /** Gives WAVs without a sample for such texts, until the next `reset`. */
    silence: (of: (text: string) => boolean = () => true) => {
      isSilent = of
    },
    before: (act: (text: string) => unknown) => {
      beforeSpeaking = act
    }
  }
}
