import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { type Check, degraded, messageOf, ok, skipped } from '#core'
import { isAudible } from './audio/audible.ts'
import { readWav } from './audio/wav.ts'
import type { MediaComponents } from './components.ts'
import { pictureAddressCheck } from './images/address-check.ts'
import { countJobs, listFailed } from './repository/jobs.ts'
import type { SpeechDrivers } from './speech/registry.ts'
import { SpeechError } from './speech/speech-error.ts'
import { filesCheck } from './storage/files-check.ts'

type CheckDeps = Pick<MediaComponents, 'db' | 'posts' | 'images' | 'store' | 'feed' | 'speech' | 'kindsOnPublish'>

/** What `galley doctor` asks of the media. */
export const mediaChecks = ({ db, posts, images, store, feed, speech, kindsOnPublish }: CheckDeps): Check[] => [
  pictureAddressCheck({ db, posts, images }),
  filesCheck({ db, store }),
  {
    name: 'speech',
    async run({ signal }) {
      if (kindsOnPublish().length === 0 && (await countJobs(db, null)) === 0) return skipped('nobody asked for audio')
      const fault = speech.chosenFault()
      if (fault !== null) return degraded(`No audio can be made: ${fault}`, speechRemedy)
      const driver = speech.chosen()
      try {
        await speakOnce(speech, signal)
        return ok(`${driver.voice} speaks`)
      } catch (error) {
        return degraded(`No audio can be made: ${messageOf(error)}`, speechRemedy)
      }
    }
  },
  {
    name: 'media jobs',
    async run() {
      const failed = await listFailed(db, maxShown)
      const [latest] = failed
      if (latest === undefined) return ok('no media job has failed')
      const count = failed.length < maxShown ? failed.length : `${maxShown} or more`
      return degraded(
        `Posts without the media that were asked for: ${count}; the latest, ${latest.post_id}, because: ${latest.error}`,
        `Correct that, then run galley media generate ${failed.length === 1 ? latest.post_id : '--failed'}; galley media list shows all.`
      )
    }
  },
  {
    name: 'podcast feed',
    async run() {
      if (!(await feed.hasEpisodes())) return skipped('no public post has audio')
      const fault = await feed.imageFault()
      if (fault !== null)
        return degraded(
          `Directories refuse the picture of the podcast: ${fault}.`,
          'Correct podcast_image_url, or unset it and run galley media refresh, which draws one.'
        )
      const missing = feed.listMissing()
      const { feedUrl, language } = feed.describe()
      if (missing.length === 0 && !directoryLanguage.test(language))
        return degraded(
          `Apple's directory refuses the language ${language} of ${feedUrl}: it takes two letters, and a country.`,
          'Set podcast_language to such a tag: pt-br, zh-tw.'
        )
      if (missing.length === 0) return ok(`${feedUrl} has what directories ask for`)
      return degraded(
        `Directories refuse ${feedUrl} without ${missing.join(', ')}.`,
        `Set them: galley settings set ${missing[0]} <value>, and so on.`
      )
    }
  }
]

async function speakOnce(speech: SpeechDrivers, signal: AbortSignal): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'galley-speech-'))
  try {
    const spoken = { text: 'One, two, three.', language: 'en', file: path.join(folder, 'spoken.wav') }
    const driver = speech.chosen()
    await speech.speak(driver, spoken, signal)
    if (!isAudible(readWav(await readFile(spoken.file)).samples))
      throw new SpeechError(`${driver.voice} gave no sound for "${spoken.text}"`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** ISO 639 with a country, by Apple's rules. */
const directoryLanguage = /^[a-z]{2}(-[a-z]{2})?$/i
const maxShown = 100
const speechRemedy =
  'Correct speech_driver and its settings (galley settings list shows them), or choose another engine.'
