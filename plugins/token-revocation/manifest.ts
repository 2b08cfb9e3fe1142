import type { Manifest } from '../../core/doors/plugin.ts'
import { options } from './options.ts'
import { REVOKED_SUBJECTS, REVOKED_TOKENS } from './tables.ts'

const manifest: Manifest = {
  name: 'token-revocation',
  version: '0.1.0',
  kernelApi: 1,
  description: 'Ends tokens before their time: POST /auth/revoke and /auth/revoke-all.',
  dependencies: ['jwt'],
  after: ['health'],
  provides: ['revocations'],
  config: 'security.token_revocation',
  options,
  tables: [REVOKED_TOKENS, REVOKED_SUBJECTS],
  metrics: {
    svc_jwt_replay_rejected_total: {
      type: 'counter',
      help: 'Requests that were refused because their token was revoked.',
    },
  },
}
export default manifest
