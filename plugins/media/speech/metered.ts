import { type Costs, isMetered, withMethods } from '#plugins/costs'
import type { Speech } from '../index.ts'
import { secondsOf, speechWorst } from './usage.ts'

/** Where other plugins offer engines: what these ask a server counts, whether they say so or not. */
export const meteredSpeech = (costs: Costs | undefined, speech: Speech): Speech => ({
  addDriver(name, driver) {
    if (!isMetered(costs, driver)) return speech.addDriver(name, driver)
    const metered = withMethods(driver, {
      speak: (spoken, signal) =>
        costs.meter({ kind: 'speech', model: name, worst: speechWorst(spoken) }, () => driver.speak(spoken, signal), {
          signal,
          usageOf: async wav => ({ characters: spoken.text.length, seconds: await secondsOf(spoken, wav) })
        })
    })
    speech.addDriver(name, metered)
  }
})
