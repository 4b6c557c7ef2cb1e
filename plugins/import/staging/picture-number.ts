/** The scheme of addresses that name a picture of the export by number. */
export const pictureNumber = 'picture:'

/** Stands for pictures that the export has behind the text, as a rule: a number, or `of-` and the number of a post. */
export const pictureElement = (name: string): string => `<p><img src="${pictureNumber}${name}" alt=""></p>`

const named = new RegExp(`<p><img src="${pictureNumber}((?:of-)?\\d+)" alt=""></p>`, 'g')

/** The names of the pictures that stand in a text. */
export const pictureNamesIn = (html: string): string[] =>
  html.includes(pictureNumber) ? [...html.matchAll(named)].map(([, name = '']) => name) : []

/** The text with the addresses of these pictures. `urlsOf`: by name; none where the export has none. */
export const withPictureUrls = (html: string, urlsOf: (name: string) => readonly string[]): string =>
  html.includes(pictureNumber)
    ? html.replace(named, (_, name: string) =>
        urlsOf(name)
          .map(url => `<p><img src="${url.replaceAll('"', '%22')}" alt=""></p>`)
          .join('\n')
      )
    : html
