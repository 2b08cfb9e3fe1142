import type { Manifest } from '../../core/doors/plugin.ts'
import { options } from './options.ts'

const manifest: Manifest = {
  name: 'oauth',
  version: '0.1.0',
  kernelApi: 1,
  description: 'Login at OpenID and OAuth 2.0 providers with PKCE, sessions, and the access cookie of web apps.',
  dependencies: ['jwt', 'state-encryption'],
  // API keys and tokens in headers take precedence over the cookie.
  after: ['api-keys', 'health'],
  config: 'security.pkce',
  options,
  codes: {
    OAUTH_EXCHANGE_FAILED: {
      status: 502,
      exposed: true,
      doc: 'The identity provider could not be reached, or did not give what a login needs. The log has the reason.',
    },
  },
}
export default manifest
