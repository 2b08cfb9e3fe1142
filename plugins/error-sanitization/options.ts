import type { JsonSchema } from '../../core/doors/plugin.ts'

/** Options of the section `[security.error_sanitization]`. */
export interface SanitizationOptions {
  readonly enabled: boolean
  readonly hide_implementation_details: boolean
  readonly sanitize_database_errors: boolean
  readonly custom_error_message: string
}

export const options: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    enabled: { type: 'boolean', default: false, description: 'Switches it on.' },
    hide_implementation_details: {
      type: 'boolean',
      default: true,
      description:
        'Internal errors say `custom_error_message`; what else has failed on our side names no files and no stack.',
    },
    sanitize_database_errors: {
      type: 'boolean',
      default: true,
      description:
        'Errors of the database say `custom_error_message`; those about what a client sent name no constraint, `DETAIL` or `HINT`.',
    },
    custom_error_message: {
      type: 'string',
      minLength: 1,
      maxLength: 500,
      default: 'An internal error occurred',
      description: 'Message for clients instead of the original one.',
    },
  },
}
