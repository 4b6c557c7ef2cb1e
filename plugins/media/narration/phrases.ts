/** What a narrator says in place of what cannot be read aloud. */
export interface Phrases {
  code: string
  table: string
  /** For an address in the middle of a sentence, of a page and of a mailbox. */
  link: string
  mail: string
  /** At the end of a text that is longer than a narration may be. */
  rest: string
}

const english: Phrases = {
  code: 'The text has a code example here.',
  table: 'The text has a table here.',
  link: 'a web address',
  mail: 'an e-mail address',
  rest: 'The rest of the text is not read.'
}

/** By the language of a BCP 47 tag. */
const byLanguage: Readonly<Record<string, Phrases>> = {
  en: english,
  de: {
    code: 'Hier steht im Text ein Codebeispiel.',
    table: 'Hier steht im Text eine Tabelle.',
    link: 'eine Webadresse',
    mail: 'eine E-Mail-Adresse',
    rest: 'Der übrige Text wird nicht vorgelesen.'
  },
  es: {
    code: 'Aquí hay un ejemplo de código en el texto.',
    table: 'Aquí hay una tabla en el texto.',
    link: 'una dirección web',
    mail: 'una dirección de correo electrónico',
    rest: 'El resto del texto no se lee.'
  },
  fr: {
    code: 'Le texte contient ici un exemple de code.',
    table: 'Le texte contient ici un tableau.',
    link: 'une adresse web',
    mail: 'une adresse e-mail',
    rest: 'Le reste du texte n’est pas lu.'
  },
  it: {
    code: 'Qui il testo contiene un esempio di codice.',
    table: 'Qui il testo contiene una tabella.',
    link: 'un indirizzo web',
    mail: 'un indirizzo e-mail',
    rest: 'Il resto del testo non viene letto.'
  },
  nl: {
    code: 'Hier staat in de tekst een codevoorbeeld.',
    table: 'Hier staat in de tekst een tabel.',
    link: 'een webadres',
    mail: 'een e-mailadres',
    rest: 'De rest van de tekst wordt niet voorgelezen.'
  },
  pt: {
    code: 'O texto tem aqui um exemplo de código.',
    table: 'O texto tem aqui uma tabela.',
    link: 'um endereço da web',
    mail: 'um endereço de e-mail',
    rest: 'O resto do texto não é lido.'
  }
}

/** In the language where it is known, else in English. */
export const phrasesIn = (language: string): Phrases =>
  byLanguage[language.toLowerCase().split('-')[0] ?? ''] ?? english
