import { definePlugin } from '../../core/doors/plugin.ts'
import type { Tokens } from './api.ts'
import manifest from './manifest.ts'
import type { JwtOptions } from './options.ts'
import { TokenRefused } from './refused.ts'

/**
 * The plugin that verifies JWT bearer tokens (docs/plugins/jwt.md). Verified tokens are cached. Without a configured
 * key or issuer the plugin does nothing, and requests with a token are anonymous.
 */
export default definePlugin<JwtOptions>(manifest, async (scope, options) => {
  if (!trustsSomebody(options)) {
    scope.stage('jwt:verified', 'series')
    scope.stage('jwt:ended', 'series')
    scope.provide('tokens', { ...NO_TOKENS, clockSkewSecs: options.jwt_clock_skew_secs })
    return
  }
  const { setUpTokens } = await import('./set-up-tokens.ts')
  setUpTokens(scope, options)
})

/** Does an option request the verification of tokens? Then a missing option is an error. */
function trustsSomebody(options: JwtOptions): boolean {
  const { jwt_secret, jwks_uri, jwt_issuer, jwt_audience, jwt_algorithm, jwt_issuers } = options
  return [jwt_secret, jwks_uri, jwt_issuer, jwt_audience, jwt_algorithm, jwt_issuers[0]].some(
    (one) => one !== undefined,
  )
}

const refuse = (): never => {
  throw new TokenRefused('key')
}
const NO_TOKENS: Omit<Tokens, 'clockSkewSecs'> = Object.freeze({
  isConfigured: false,
  verify: refuse,
  authenticate: refuse,
  issue: null,
  end: async () => false,
  check: refuse,
  tokenOf: () => null,
})
