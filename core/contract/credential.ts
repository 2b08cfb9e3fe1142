/** How callers bring a credential: what a plugin that hooks `authenticate` reads. */
export interface Credential {
  readonly in: 'header' | 'cookie'
  /** Name of the header or of the cookie. */
  readonly name: string
  /** `bearer`, `basic`: behind this word, in a header (RFC 9110, 11.6.2). `key`: the value is the credential. */
  readonly scheme: 'bearer' | 'basic' | 'key'
  /** Its name in documents, as in the security schemes of OpenAPI. Default: the plugin's name. */
  readonly id?: string
  /** One sentence for who calls the service. */
  readonly description?: string
}

/** With the plugin that takes it. */
export interface OwnedCredential extends Credential {
  readonly plugin: string
  readonly id: string
}
