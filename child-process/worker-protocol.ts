/** What a worker process is asked, by numbers: answers come in any order. */
export interface WorkerRequest<Request> {
  id: number
  request: Request
}

export type WorkerAnswer<Answer> =
  | { kind: 'done'; id: number; answer: Answer }
  /** The work threw. `code` is that of the error, if it has one. */
  | { kind: 'failed'; id: number; message: string; code: string | undefined }
