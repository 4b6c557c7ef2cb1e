/** Words of topics that say little about the subject: they count, but a text is not chosen for them. */
const weakWords = new Set(
  `apart article basic basics beginner beginners best better common complete deep dive essential every everyone everything
  explain explained explaining explanation fact facts find first get give go good great guide help history idea ideas
  important improve inside introduction introducing keep keeps know learn learning level look make makes making matter
  matters mean means modern need needs new overview people practical practice primer reason reasons right run runs
  short simple start step steps story take thing things tip tips today together top tutorial understand understanding
  use used using useful way ways well work working works world write writing year years`.split(/\s+/)
)

/** How many words a reader would count. */
export const countWords = (text: string): number => text.split(/\s+/).filter(word => /[\p{L}\p{N}]/u.test(word)).length

export const isWeakWord = (word: string): boolean => weakWords.has(word)
