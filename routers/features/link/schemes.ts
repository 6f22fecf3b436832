/**
 * Names that are a URI scheme even if only digits follow the colon: `tel:112` is no host `tel` with port 112. From the
 * IANA register and from what browsers and telephones handle, without words that are common names of hosts (`git`,
 * `proxy`). A name with a dot is always a host.
 */
const SCHEMES = new Set(
  (
    'about acct acr aim android-app apt bitcoin bitcoincash blob bluetooth callto chrome chrome-extension cid coap ' +
    'coaps data dav dict ed2k edge ethereum facetime facetime-audio fax fb feed file filesystem ftp ftps geo gopher ' +
    'gtalk h323 http https hxxp hxxps iax icap im imap imaps intent ipfs ipns ipp ipps irc ircs itms itms-apps jabber ' +
    'jar javascript ldap ldaps lightning litecoin livescript magnet mailto market mid mms mmsto mocha modem ' +
    'moz-extension msteams mumble news nfs nntp otpauth payto pres rlogin rmi rsync rtmp rtsp rtsps sftp sgn sip ' +
    'sips skype smb sms smsto smtp snews snmp ssh steam stun stuns svn tel telnet tftp tg turns udp urn vbscript ' +
    'view-source viber webcal whatsapp ws wss wtai wyciwyg xmpp ymsgr z3950 zoommtg zoomus'
  ).split(' '),
);

/** Whether a name in lower case, without a dot, is a scheme rather than a host. */
export const isScheme = (name: string): boolean => SCHEMES.has(name);
