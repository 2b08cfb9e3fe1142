/**
 * Encrypts and authenticates texts that clients keep or that are stored where others can read them, such as login
 * state.
 */
export interface Seal {
  /** Encrypts a text. @param purpose label that is needed again to decrypt the text */
  seal(text: string, purpose: string): string
  /**
   * Decrypts a text of {@link Seal.seal}.
   * @returns `null` when the text was changed, or encrypted with another key or purpose
   */
  open(sealed: string, purpose: string): string | null
}

declare module '../../core/doors/plugin.ts' {
  interface Provided {
    seal: Seal
  }
}
