import type { SvcError } from '../errors/svc-error.ts'

/**
 * What the resolve stage gives back. `data` is JSON text that goes to the socket as it is: nobody parses it to write it
 * again. Fronts add their wrapper (`{"data":…}`), render errors in their own shape, and set the status.
 */
export interface Result {
  /** JSON text of the object that holds the roots; `null` when a non-null root failed or nothing ran. */
  readonly data: string | null
  /**
   * `data` in UTF-8, where it was made as bytes. A front that only passes it on takes these: `data` is then a string
   * only when somebody asks for it.
   */
  readonly bytes?: Uint8Array
  readonly errors: readonly SvcError[] | null
}
