export type { SettingRecord } from './index.js';
