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
  ar: {
    code: 'يوجد هنا في النص مثال برمجي.',
    table: 'يوجد هنا في النص جدول.',
    link: 'عنوان ويب',
    mail: 'عنوان بريد إلكتروني',
    rest: 'بقية النص لا تُقرأ.'
  },
  cs: {
    code: 'Zde je v textu ukázka kódu.',
    table: 'Zde je v textu tabulka.',
    link: 'webová adresa',
    mail: 'e-mailová adresa',
    rest: 'Zbytek textu se nečte.'
  },
  da: {
    code: 'Her står der et kodeeksempel i teksten.',
    table: 'Her står der en tabel i teksten.',
    link: 'en webadresse',
    mail: 'en e-mailadresse',
    rest: 'Resten af teksten læses ikke op.'
  },
  de: {
    code: 'Hier steht im Text ein Codebeispiel.',
    table: 'Hier steht im Text eine Tabelle.',
    link: 'eine Webadresse',
    mail: 'eine E-Mail-Adresse',
    rest: 'Der übrige Text wird nicht vorgelesen.'
  },
  el: {
    code: 'Εδώ το κείμενο έχει ένα παράδειγμα κώδικα.',
    table: 'Εδώ το κείμενο έχει έναν πίνακα.',
    link: 'μια διεύθυνση ιστού',
    mail: 'μια διεύθυνση ηλεκτρονικού ταχυδρομείου',
    rest: 'Το υπόλοιπο κείμενο δεν διαβάζεται.'
  },
  es: {
    code: 'Aquí hay un ejemplo de código en el texto.',
    table: 'Aquí hay una tabla en el texto.',
    link: 'una dirección web',
    mail: 'una dirección de correo electrónico',
    rest: 'El resto del texto no se lee.'
  },
  fi: {
    code: 'Tekstissä on tässä koodiesimerkki.',
    table: 'Tekstissä on tässä taulukko.',
    link: 'verkko-osoite',
    mail: 'sähköpostiosoite',
    rest: 'Tekstin loppuosaa ei lueta.'
  },
  fr: {
    code: 'Le texte contient ici un exemple de code.',
    table: 'Le texte contient ici un tableau.',
    link: 'une adresse web',
    mail: 'une adresse e-mail',
    rest: 'Le reste du texte n’est pas lu.'
  },
  he: {
    code: 'כאן יש בטקסט דוגמת קוד.',
    table: 'כאן יש בטקסט טבלה.',
    link: 'כתובת אתר',
    mail: 'כתובת דואר אלקטרוני',
    rest: 'שאר הטקסט אינו מוקרא.'
  },
  hu: {
    code: 'Itt a szövegben egy kódpélda van.',
    table: 'Itt a szövegben egy táblázat van.',
    link: 'egy webcím',
    mail: 'egy e-mail-cím',
    rest: 'A szöveg többi részét nem olvassuk fel.'
  },
  id: {
    code: 'Di sini ada contoh kode dalam teks.',
    table: 'Di sini ada tabel dalam teks.',
    link: 'sebuah alamat web',
    mail: 'sebuah alamat surel',
    rest: 'Sisa teks tidak dibacakan.'
  },
  it: {
    code: 'Qui il testo contiene un esempio di codice.',
    table: 'Qui il testo contiene una tabella.',
    link: 'un indirizzo web',
    mail: 'un indirizzo e-mail',
    rest: 'Il resto del testo non viene letto.'
  },
  ja: {
    code: 'ここに、コードの例があります。',
    table: 'ここに、表があります。',
    link: 'ウェブアドレス',
    mail: 'メールアドレス',
    rest: '残りの文章は読み上げません。'
  },
  ko: {
    code: '여기에 코드 예제가 있습니다.',
    table: '여기에 표가 있습니다.',
    link: '웹 주소',
    mail: '이메일 주소',
    rest: '나머지 글은 읽지 않습니다.'
  },
  nl: {
    code: 'Hier staat in de tekst een codevoorbeeld.',
    table: 'Hier staat in de tekst een tabel.',
    link: 'een webadres',
    mail: 'een e-mailadres',
    rest: 'De rest van de tekst wordt niet voorgelezen.'
  },
  no: {
    code: 'Her står det et kodeeksempel i teksten.',
    table: 'Her står det en tabell i teksten.',
    link: 'en nettadresse',
    mail: 'en e-postadresse',
    rest: 'Resten av teksten leses ikke opp.'
  },
  pl: {
    code: 'W tym miejscu tekst zawiera przykład kodu.',
    table: 'W tym miejscu tekst zawiera tabelę.',
    link: 'adres strony',
    mail: 'adres e-mail',
    rest: 'Reszta tekstu nie jest czytana.'
  },
  pt: {
    code: 'O texto tem aqui um exemplo de código.',
    table: 'O texto tem aqui uma tabela.',
    link: 'um endereço da web',
    mail: 'um endereço de e-mail',
    rest: 'O resto do texto não é lido.'
  },
  ro: {
    code: 'Aici textul conține un exemplu de cod.',
    table: 'Aici textul conține un tabel.',
    link: 'o adresă web',
    mail: 'o adresă de e-mail',
    rest: 'Restul textului nu este citit.'
  },
  ru: {
    code: 'Здесь в тексте пример кода.',
    table: 'Здесь в тексте таблица.',
    link: 'веб-адрес',
    mail: 'адрес электронной почты',
    rest: 'Остальной текст не читается.'
  },
  sv: {
    code: 'Här finns ett kodexempel i texten.',
    table: 'Här finns en tabell i texten.',
    link: 'en webbadress',
    mail: 'en e-postadress',
    rest: 'Resten av texten läses inte upp.'
  },
  tr: {
    code: 'Metinde burada bir kod örneği var.',
    table: 'Metinde burada bir tablo var.',
    link: 'bir web adresi',
    mail: 'bir e-posta adresi',
    rest: 'Metnin geri kalanı okunmuyor.'
  },
  uk: {
    code: 'Тут у тексті приклад коду.',
    table: 'Тут у тексті таблиця.',
    link: 'вебадреса',
    mail: 'адреса електронної пошти',
    rest: 'Решта тексту не читається.'
  },
  vi: {
    code: 'Ở đây văn bản có một ví dụ mã.',
    table: 'Ở đây văn bản có một bảng.',
    link: 'một địa chỉ web',
    mail: 'một địa chỉ email',
    rest: 'Phần còn lại của văn bản không được đọc.'
  },
  zh: {
    code: '此处有一段代码示例。',
    table: '此处有一个表格。',
    link: '一个网址',
    mail: '一个电子邮件地址',
    rest: '其余内容不再朗读。'
  }
}

/** Other names of the same: the two written forms of Norwegian, and the code that Hebrew had. */
const sameAs: Readonly<Record<string, string>> = { nb: 'no', nn: 'no', iw: 'he' }

/** In the language where it is known, else in English. */
export function phrasesIn(language: string): Phrases {
  const code = language.toLowerCase().split('-')[0] ?? ''
  return byLanguage[sameAs[code] ?? code] ?? english
}
