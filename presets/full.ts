import type { Preset } from '../core/config/preset.ts'
import admin from '../plugins/admin/manifest.ts'
import arrow from '../plugins/arrow/manifest.ts'
import auditLog from '../plugins/audit-log/manifest.ts'
import circuitBreaker from '../plugins/circuit-breaker/manifest.ts'
import csrfPrevention from '../plugins/csrf-prevention/manifest.ts'
import explain from '../plugins/explain/manifest.ts'
import federation from '../plugins/federation/manifest.ts'
import mcp from '../plugins/mcp/manifest.ts'
import mysql from '../plugins/mysql/manifest.ts'
import oauth from '../plugins/oauth/manifest.ts'
import observers from '../plugins/observers/manifest.ts'
import rateLimiting from '../plugins/rate-limiting/manifest.ts'
import responseCache from '../plugins/response-cache/manifest.ts'
import securityHeaders from '../plugins/security-headers/manifest.ts'
import singleFlight from '../plugins/single-flight/manifest.ts'
import sqlite from '../plugins/sqlite/manifest.ts'
import sse from '../plugins/sse/manifest.ts'
import stateEncryption from '../plugins/state-encryption/manifest.ts'
import subscriptions from '../plugins/subscriptions/manifest.ts'
import tokenRevocation from '../plugins/token-revocation/manifest.ts'
import tracing from '../plugins/tracing/manifest.ts'
import trustedDocuments from '../plugins/trusted-documents/manifest.ts'
import { standard } from './standard.ts'

/**
 * The preset with all plugins of svc: those of `standard` and all others. Plugins that need settings of their own are
 * disabled until their section enables them.
 */
export const full: Preset = {
  name: 'full',
  extends: standard,
  plugins: [
    { manifest: sqlite, load: () => import('../plugins/sqlite/index.ts') },
    { manifest: mysql, load: () => import('../plugins/mysql/index.ts') },
    {
      manifest: tracing,
      load: () => import('../plugins/tracing/index.ts'),
      modules: { './doctor': () => import('../plugins/tracing/doctor.ts') },
    },
    { manifest: tokenRevocation, load: () => import('../plugins/token-revocation/index.ts') },
    { manifest: securityHeaders, load: () => import('../plugins/security-headers/index.ts') },
    { manifest: csrfPrevention, load: () => import('../plugins/csrf-prevention/index.ts') },
    { manifest: rateLimiting, load: () => import('../plugins/rate-limiting/index.ts') },
    {
      manifest: trustedDocuments,
      load: () => import('../plugins/trusted-documents/index.ts'),
      modules: {
        './command': () => import('../plugins/trusted-documents/command.ts'),
        './after-compile': () => import('../plugins/trusted-documents/after-compile.ts'),
        './doctor': () => import('../plugins/trusted-documents/doctor.ts'),
      },
    },
    { manifest: admin, load: () => import('../plugins/admin/index.ts') },
    {
      manifest: explain,
      load: () => import('../plugins/explain/index.ts'),
      modules: {
        './explain-command': () => import('../plugins/explain/explain-command.ts'),
        './cost-command': () => import('../plugins/explain/cost-command.ts'),
      },
    },
    {
      manifest: federation,
      load: () => import('../plugins/federation/index.ts'),
      modules: {
        './key-facts': () => import('../plugins/federation/key-facts.ts'),
        './compile': () => import('../plugins/federation/compile.ts'),
        './sdl': () => import('../plugins/federation/sdl.ts'),
      },
    },
    {
      manifest: mcp,
      load: () => import('../plugins/mcp/index.ts'),
      modules: {
        './command': () => import('../plugins/mcp/command.ts'),
        './contract': () => import('../plugins/mcp/contract.ts'),
      },
    },
    {
      manifest: arrow,
      load: () => import('../plugins/arrow/index.ts'),
      modules: { './check-keys': () => import('../plugins/arrow/check-keys.ts') },
    },
    { manifest: auditLog, load: () => import('../plugins/audit-log/index.ts') },
    { manifest: stateEncryption, load: () => import('../plugins/state-encryption/index.ts') },
    { manifest: oauth, load: () => import('../plugins/oauth/index.ts') },
    {
      manifest: observers,
      load: () => import('../plugins/observers/index.ts'),
      modules: {
        './compile': () => import('../plugins/observers/compile.ts'),
        './command': () => import('../plugins/observers/command.ts'),
        './doctor': () => import('../plugins/observers/doctor.ts'),
      },
    },
    {
      manifest: subscriptions,
      load: () => import('../plugins/subscriptions/index.ts'),
      modules: { './compile': () => import('../plugins/subscriptions/compile.ts') },
    },
    {
      manifest: responseCache,
      load: () => import('../plugins/response-cache/index.ts'),
      modules: { './doctor': () => import('../plugins/response-cache/doctor.ts') },
    },
    { manifest: sse, load: () => import('../plugins/sse/index.ts') },
    { manifest: singleFlight, load: () => import('../plugins/single-flight/index.ts') },
    { manifest: circuitBreaker, load: () => import('../plugins/circuit-breaker/index.ts') },
  ],
}
