import type { JsonSchema } from '../../core/doors/plugin.ts'

/** Options of the section `[security.headers]`. */
export interface SecurityHeadersOptions {
  readonly content_security_policy: string
  readonly frame_options: 'DENY' | 'SAMEORIGIN' | ''
  readonly referrer_policy: string
  readonly cross_origin_resource_policy: 'same-origin' | 'same-site' | 'cross-origin' | ''
  readonly hsts_max_age_secs?: number
  readonly hsts_include_subdomains: boolean
  readonly extra: Readonly<Record<string, string>>
}

export const options: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    content_security_policy: {
      type: 'string',
      default: "default-src 'none'; frame-ancestors 'none'",
      description: '`Content-Security-Policy`. Empty: not sent.',
    },
    frame_options: {
      type: 'string',
      enum: ['DENY', 'SAMEORIGIN', ''],
      default: 'DENY',
      description: '`X-Frame-Options`. Empty: not sent.',
    },
    referrer_policy: {
      type: 'string',
      default: 'no-referrer',
      description: '`Referrer-Policy`. Empty: not sent.',
    },
    cross_origin_resource_policy: {
      type: 'string',
      enum: ['same-origin', 'same-site', 'cross-origin', ''],
      default: 'same-origin',
      description: '`Cross-Origin-Resource-Policy`: who may embed an answer without CORS. Empty: not sent.',
    },
    hsts_max_age_secs: {
      type: 'integer',
      minimum: 0,
      description:
        '`Strict-Transport-Security`: how long browsers insist on HTTPS. 0: not sent. Absent: 180 days with `server.tls.enabled`, else 0.',
      examples: [15_552_000],
    },
    hsts_include_subdomains: {
      type: 'boolean',
      default: false,
      description: 'For all names below that of the service, too.',
    },
    extra: {
      type: 'object',
      additionalProperties: { type: 'string' },
      default: {},
      description: 'More headers of every answer, by name.',
      examples: [{ 'Permissions-Policy': 'interest-cohort=()' }],
    },
  },
}
