import { definePlugin } from '#core'
import { type SpeechDriver, SpeechService } from '#plugins/media'
import { makeWav, tone } from '../../../helpers/wav.ts'

/** An engine that another plugin brings: each text lasts 50 ms, and what it does before is up to the test. */
export function createSpeakingPlugin() {
  const spoken: string[] = []
  let beforeSpeaking: (text: string) => unknown = () => {}
  let isSilent = false
  const driver: SpeechDriver = {
    voice: 'Test voice',
    async speak({ text }) {
      await beforeSpeaking(text)
      spoken.push(text)
      return makeWav(isSilent ? [] : tone(0.5, 16_000), { sampleRate: 16_000 })
    }
  }
  const plugin = definePlugin({
    name: 'speaking',
    contract: 1,
    describe: 'An engine of somebody else',
    needs: { speech: SpeechService },
    setup({ needs: { speech } }) {
      speech.addDriver('test', driver)
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
      isSilent = false
    },
    /** Gives WAVs without a sample, until the next `reset`. */
    silence: () => {
      isSilent = true
    },
    before: (act: (text: string) => unknown) => {
      beforeSpeaking = act
    }
  }
}
