/** Encrypts what is given out of hand, or kept where others may read it, and notices when it comes back changed. */
export interface Seal {
  /** @param purpose what is sealed for one purpose opens for no other */
  seal(text: string, purpose: string): string
  /** `null`: it was not sealed here for this purpose, or was changed. */
  open(sealed: string, purpose: string): string | null
}

declare module '../../core/doors/plugin.ts' {
  interface Provided {
    seal: Seal
  }
}
