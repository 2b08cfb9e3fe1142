/** Codes that are valid if a list contains them. */

const split = (codes: string): ReadonlySet<string> => new Set(codes.trim().split(/\s+/))

/** Country codes of ISO 3166-1 alpha-2. */
export const COUNTRIES = split(`
  AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD
  CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF
  GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN
  KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA
  NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI
  SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI
  VN VU WF WS YE YT ZA ZM ZW`)

/** Language codes of ISO 639-1. */
export const LANGUAGES = split(`
  aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et
  eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk
  kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny
  oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk
  tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu`)

/** Codes of world regions that a BCP 47 language tag may contain, such as `419` for Latin America (UN M.49). */
export const WORLD_REGIONS = split(`
  001 002 003 005 009 011 013 014 015 017 018 019 021 029 030 034 035 039 053 054 057 061 142 143 145 150 151 154 155 202 419`)

/** Time zone names that JavaScript engines accept although the IANA database does not contain them. */
export const OTHER_ZONES = split(
  'ACT AET AGT ART AST BET BST CAT CNT CST CTT EAT ECT IET IST JST MIT NET NST PLT PNT PRT PST SST VST',
)

/** Currency codes of ISO 4217 in use. */
export const CURRENCIES = split(`
  AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF
  CHW CLF CLP CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL
  HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD
  MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF
  SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD USN UYI UYU
  UYW UZS VED VES VND VUV WST XAF XAG XAU XBA XBB XBC XBD XCD XCG XDR XOF XPD XPF XPT XSU XTS XUA ${'X'.repeat(3)} YER ZAR ZMW ZWG`)

/** Number of characters of an IBAN, by country code (IBAN registry). */
export const IBAN_LENGTHS: ReadonlyMap<string, number> = new Map(
  [
    ...split(`
  AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 FI18
  FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20
  LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24
  SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30`),
  ].map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
)

/** Source of a regular expression for postal codes, by country code. */
export const POSTAL_PATTERNS: ReadonlyMap<string, string> = new Map([
  ...['AT', 'AU', 'BE', 'BG', 'CH', 'DK', 'HU', 'LI', 'LU', 'NO', 'NZ', 'SI', 'ZA'].map(
    (code) => [code, '\\d{4}'] as const,
  ),
  ...['DE', 'EE', 'ES', 'FI', 'FR', 'HR', 'IT', 'MX', 'TR', 'UA'].map((code) => [code, '\\d{5}'] as const),
  ...['CN', 'IN', 'RO', 'RU', 'SG'].map((code) => [code, '\\d{6}'] as const),
  ...['CZ', 'GR', 'SE', 'SK'].map((code) => [code, '\\d{3} ?\\d{2}'] as const),
  ['BR', '\\d{5}-?\\d{3}'],
  ['CA', '[ABCEGHJ-NPRSTVXY]\\d[ABCEGHJ-NPRSTV-Z] ?\\d[ABCEGHJ-NPRSTV-Z]\\d'],
  ['GB', '[A-Z]{1,2}\\d[A-Z0-9]? ?\\d[ABD-HJLNP-UW-Z]{2}'],
  ['IE', '[AC-FHKNPRTV-Y](\\d{2}|6W) ?[0-9AC-FHKNPRTV-Y]{4}'],
  ['JP', '\\d{3}-?\\d{4}'],
  ['KR', '\\d{5}'],
  ['LT', '(LT-)?\\d{5}'],
  ['LV', '(LV-)?\\d{4}'],
  ['NL', '[1-9]\\d{3} ?[A-Z]{2}'],
  ['PL', '\\d{2}-?\\d{3}'],
  ['PT', '\\d{4}-?\\d{3}'],
  ['US', '\\d{5}(-\\d{4})?'],
])
