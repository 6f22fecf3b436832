/** The upper halves of two code pages of DOS that no `TextDecoder` knows; zips still use them. */
const PAGES = {
  cp437:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  cp850:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
} as const;

/** A code page of DOS: the American one, and the western European one. */
export type DosPage = keyof typeof PAGES;

const characterOf = (page: DosPage, byte: number): string =>
  byte < 0x80 ? String.fromCharCode(byte) : (PAGES[page][byte - 0x80] ?? '');

/** The text of some bytes in a code page; all bytes are text in it. */
export const decodeDos = (bytes: Uint8Array, page: DosPage): string =>
  Array.from(bytes, (byte) => characterOf(page, byte)).join('');

/** Whether a byte from 0x80 on is a Latin letter in a code page. */
export const isDosLetter = (byte: number, page: DosPage): boolean =>
  /\p{Script=Latin}/u.test(characterOf(page, byte));
