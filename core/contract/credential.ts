/**
 * Description of a header or cookie in which clients send a credential. The plugin that declares it
 * (`scope.credentials`) verifies the credential in its `authenticate` hook.
 */
export interface Credential {
  readonly in: 'header' | 'cookie'
  /** Name of the header or of the cookie. */
  readonly name: string
  /**
   * Form of the value. `bearer`, `basic`: the credential follows the name of this authentication scheme (RFC 9110,
   * section 11.6.2). `key`: the whole value is the credential.
   */
  readonly scheme: 'bearer' | 'basic' | 'key'
  /** Name of the security scheme in OpenAPI documents. Default: the plugin's name. */
  readonly id?: string
  /** Description of the security scheme in OpenAPI documents, in one sentence. */
  readonly description?: string
}

/** A declared credential with the name of its plugin, as `scope.process.credentials` lists it. */
export interface OwnedCredential extends Credential {
  readonly plugin: string
  readonly id: string
}
