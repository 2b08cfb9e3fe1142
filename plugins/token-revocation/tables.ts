import type { TableDefinition } from '../../core/doors/plugin.ts'

const when = { option: 'backend', is: 'sqldb' }
const TOKENS = `CREATE TABLE IF NOT EXISTS svc_revoked_tokens (
  issuer text NOT NULL,
  jti text NOT NULL,
  sub text,
  expires_at bigint NOT NULL,
  revoked_at bigint,
  PRIMARY KEY (issuer, jti)
);
CREATE INDEX IF NOT EXISTS svc_revoked_tokens_sub ON svc_revoked_tokens (sub);
CREATE INDEX IF NOT EXISTS svc_revoked_tokens_expires_at ON svc_revoked_tokens (expires_at);`
const SUBJECTS = `CREATE TABLE IF NOT EXISTS svc_revoked_subjects (
  sub text PRIMARY KEY,
  not_before bigint NOT NULL
);`

const MYSQL_TOKENS = `CREATE TABLE IF NOT EXISTS svc_revoked_tokens (
  issuer varchar(350) NOT NULL,
  jti varchar(350) NOT NULL,
  sub varchar(700),
  expires_at bigint NOT NULL,
  revoked_at bigint,
  PRIMARY KEY (issuer, jti),
  INDEX svc_revoked_tokens_sub (sub),
  INDEX svc_revoked_tokens_expires_at (expires_at)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;`
const MYSQL_SUBJECTS = `CREATE TABLE IF NOT EXISTS svc_revoked_subjects (
  sub varchar(700) NOT NULL PRIMARY KEY,
  not_before bigint NOT NULL
) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;`

/** Table of tokens that were used here, with the time of their revocation. Times are milliseconds since 1970. */
export const REVOKED_TOKENS: TableDefinition = {
  name: 'svc_revoked_tokens',
  purpose: 'Tokens that came here and have not ended; revoked are those with a revoked_at.',
  when,
  types: {
    issuer: ['text', 'varchar'],
    jti: ['text', 'varchar'],
    sub: ['text', 'varchar'],
    expires_at: ['int8'],
    revoked_at: ['int8'],
  },
  versions: [
    {
      columns: ['issuer', 'jti', 'sub', 'expires_at', 'revoked_at'],
      sql: { postgres: TOKENS, sqlite: TOKENS, mysql: MYSQL_TOKENS },
    },
  ],
}

export const REVOKED_SUBJECTS: TableDefinition = {
  name: 'svc_revoked_subjects',
  purpose: 'Subjects all of whose tokens were revoked: those issued up to the second not_before.',
  when,
  types: { sub: ['text', 'varchar'], not_before: ['int8'] },
  versions: [{ columns: ['sub', 'not_before'], sql: { postgres: SUBJECTS, sqlite: SUBJECTS, mysql: MYSQL_SUBJECTS } }],
}
