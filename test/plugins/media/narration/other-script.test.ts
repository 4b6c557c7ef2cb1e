import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isInOtherScript } from '../../../../plugins/media/narration/other-script.ts'

const arabic = 'يرتفع البحر مرتين في اليوم بسبب القمر'
const japanese = '海は一日に二回、月の引力のために上がったり下がったりします。'

for (const { title, text, language, isOther } of [
  { title: 'Arabic in Arabic', text: arabic, language: 'ar', isOther: false },
  { title: 'Arabic in English', text: arabic, language: 'en', isOther: true },
  { title: 'Arabic in Hebrew', text: arabic, language: 'he-IL', isOther: true },
  { title: 'Japanese in Japanese', text: japanese, language: 'ja', isOther: false },
  { title: 'Japanese in English', text: japanese, language: 'en', isOther: true },
  { title: 'Serbian in Latin letters', text: 'More se diže dvaput dnevno zbog Meseca', language: 'sr', isOther: false },
  { title: 'English in Arabic', text: 'The sea rises twice a day, as the moon pulls', language: 'ar', isOther: false },
  {
    title: 'an Arabic quotation in English',
    text: `The sea rises twice a day, as the moon pulls at it: ${arabic}. So it was said long ago.`,
    language: 'en',
    isOther: false
  },
  { title: 'Urdu in Nastaliq', text: arabic, language: 'ur-Aran', isOther: false },
  { title: 'a language that is none', text: arabic, language: 'en-12', isOther: false },
  { title: 'mathematical letters', text: '𝐛𝐨𝐥𝐝'.repeat(10), language: 'en', isOther: false },
  { title: 'long vowels', text: 'ラーメンとコーヒーとケーキとビールをください', language: 'ja', isOther: false },
  { title: 'a short text', text: 'القمر', language: 'en', isOther: false },
  { title: 'emoji', text: '🌊🌙'.repeat(30), language: 'en', isOther: false }
])
  test(`letters of another script: ${title}`, () => {
    assert.equal(isInOtherScript([text], language), isOther)
  })
