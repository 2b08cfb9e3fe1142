/** Encrypts and authenticates texts that clients hold, or that are stored where others can read them. */
export interface Seal {
  /** Encrypts a text. @param purpose the text can only be opened with the same purpose */
  seal(text: string, purpose: string): string
  /** Decrypts a text. @returns `null` when it was changed, or sealed with another key or purpose */
  open(sealed: string, purpose: string): string | null
}

declare module '../../core/doors/plugin.ts' {
  interface Provided {
    seal: Seal
  }
}
