/** A picture that is not taken. `message` completes its address: "is animated". */
export class ImageFault extends Error {
  override readonly name = 'ImageFault'
}
