/** A header or cookie that carries a credential, which a plugin verifies in `authenticate`. */
export interface Credential {
  readonly in: 'header' | 'cookie'
  /** Name of the header or of the cookie. */
  readonly name: string
  /**
   * How the credential is sent. `bearer`, `basic`: authentication scheme of a header (RFC 9110, section 11.6.2). `key`:
   * the whole value is the credential.
   */
  readonly scheme: 'bearer' | 'basic' | 'key'
  /** Name of the security scheme in OpenAPI documents. Default: the plugin's name. */
  readonly id?: string
  /** Description for clients of the API, in one sentence. */
  readonly description?: string
}

/** A credential, with the name of the plugin that declared it. */
export interface OwnedCredential extends Credential {
  readonly plugin: string
  readonly id: string
}
