/** The results, once all promises have settled. @throws the error of the first in their order that failed */
export async function allEnded<T>(works: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(works)
  return Promise.all(works)
}
